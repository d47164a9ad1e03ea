#include "harness/case/record.h"

#include "harness/case/untrusted_file.h"

#include <charconv>
#include <functional>
#include <map>
#include <sstream>

namespace warpgrade {

namespace {

constexpr std::size_t kLongestRecord = std::size_t{1} << 20U;  // a worker's is under 10 KB

/// The words of one line; numbers that are none read as 0, for the record is not trusted anyway.
class Words {
 public:
  explicit Words(const std::string& line) : in_(line) {}

  std::string word() {
    std::string text;
    in_ >> text;
    return text;
  }
  template <class T>
  T number() {
    const std::string text = word();
    T value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
  std::string rest() {
    std::string text;
    std::getline(in_ >> std::ws, text);
    return text;
  }

 private:
  std::istringstream in_;
};

CudaError read_error(Words& words) {
  CudaError error;
  error.code = words.number<int>();
  error.name = words.word();
  error.text = words.rest();
  return error;
}

using Handler = std::function<void(Words&, Record&)>;

/// What each line of a record means; the worker's side is harness/worker/record_writer.cpp.
const std::map<std::string, Handler, std::less<>>& handlers() {
  static const std::map<std::string, Handler, std::less<>> table = {
      {"started", [](Words&, Record& r) { r.stage = Stage::started; }},
      {"calling", [](Words&, Record& r) { r.stage = Stage::calling; }},
      {"returned", [](Words&, Record& r) { r.stage = Stage::returned; }},
      {"fault", [](Words& w, Record& r) { r.harness_fault = w.rest(); }},
      {"device", [](Words& w, Record& r) { r.device = w.rest(); }},
      {"launch-error", [](Words& w, Record& r) { r.launch_error = read_error(w); }},
      {"sync-error", [](Words& w, Record& r) { r.sync_error = read_error(w); }},
      {"device-reset", [](Words&, Record& r) { r.device_reset = true; }},
      {"input-changed",
       [](Words& w, Record& r) {
         Record::InputChange change;
         change.parameter = w.word();
         change.first = w.number<std::uint64_t>();
         change.count = w.number<std::uint64_t>();
         r.input_changes.push_back(std::move(change));
       }},
      {"canary",
       [](Words& w, Record& r) {
         Record::CanaryHit hit;
         hit.parameter = w.word();
         hit.before = w.word() == "before";
         hit.distance = w.number<std::uint64_t>();
         hit.count = w.number<std::uint64_t>();
         r.canary_hits.push_back(std::move(hit));
       }},
      {"guard",
       [](Words& w, Record& r) {
         Record::GuardHit hit;
         hit.parameter = w.word();
         hit.before = w.word() == "before";
         hit.distance = w.number<std::uint64_t>();
         hit.write = w.word() == "write";
         r.guard_hit = std::move(hit);
       }},
      {"ready", [](Words&, Record& r) { r.ready = true; }},
      {"saved", [](Words&, Record& r) { ++r.saved_calls; }},
      {"timed",
       [](Words& w, Record& r) {
         Record::TimedCall call;
         call.number = w.number<std::uint64_t>();
         call.event_ms = w.number<double>();
         call.host_ms = w.number<double>();
         r.timed_calls.push_back(call);
       }},
      {"host-seconds", [](Words& w, Record& r) { r.host_seconds = w.number<double>(); }},
      {"event-ms", [](Words& w, Record& r) { r.event_ms = w.number<double>(); }},
      {"free-before", [](Words& w, Record& r) { r.free_before = w.number<std::uint64_t>(); }},
      {"free-after", [](Words& w, Record& r) { r.free_after = w.number<std::uint64_t>(); }},
  };
  return table;
}

}  // namespace

std::uint64_t Record::leaked_bytes() const {
  // Nothing was asked after an error; then free_after is 0.
  return complete() && free_after != 0 && free_after < free_before ? free_before - free_after : 0;
}

Record read_record(const std::filesystem::path& file, const std::string& nonce) {
  Record record;
  std::istringstream lines(read_untrusted_file(file, kLongestRecord).value_or(""));
  std::string line;
  bool done = false;
  while (std::getline(lines, line)) {
    if (done) {
      // Only the worker's own last line ends a record.
      record.stage = Stage::returned;
      break;
    }
    Words words(line);
    const std::string key = words.word();
    if (key == "done") {
      done = record.stage == Stage::returned && !nonce.empty() && words.rest() == nonce;
      if (done) record.stage = Stage::complete;
      continue;
    }
    const auto handler = handlers().find(key);
    if (handler != handlers().end()) handler->second(words, record);
  }
  return record;
}

}  // namespace warpgrade
