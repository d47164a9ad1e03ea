#include "emulator/checkers/faults/faults.h"

#include <variant>

namespace warpsim {
namespace {

class FaultChecker final : public Observer {
 public:
  void fault(const Fault& fault) override {
    std::visit([](const auto& what) { report(what); }, fault.what);
  }
};

}  // namespace

std::unique_ptr<Observer> make_fault_checker() {
  return std::make_unique<FaultChecker>();
}

}  // namespace warpsim
