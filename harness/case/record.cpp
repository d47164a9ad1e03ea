#include "harness/case/record.h"

#include "harness/case/untrusted_file.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <sstream>

namespace warpgrade {

namespace {

constexpr std::size_t kLongestRecord = std::size_t{1} << 20U;  // a worker's is under 10 KB
constexpr std::size_t kLongestWord = 100;  // names of parameters and errors
constexpr std::size_t kLongestText = 300;
constexpr std::size_t kMostHits = 64;  // a lab has fewer parameters
constexpr double kLongestTime = 1e9;  // in any unit: longer than any run

/// The words of one line; invalid numbers are read as 0, because the record is not trusted anyway.
class Words {
 public:
  explicit Words(const std::string& line) : in_(line) {}

  std::string word() {
    std::string text;
    in_ >> text;
    text.resize(std::min(text.size(), kLongestWord));
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
    text.resize(std::min(text.size(), kLongestText));
    return text;
  }
  /// Nothing if it cannot be a measured time.
  std::optional<double> time() {
    const double value = number<double>();
    return value >= 0 && value <= kLongestTime ? std::optional(value) : std::nullopt;
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

/// Stages never go back: such a line is not the worker's.
void reach(Stage stage, Record& record) {
  record.stage = std::max(record.stage, stage);
}

using Handler = std::function<void(Words&, Record&)>;

/// The handler of each kind of line; written by harness/worker/record_writer.cpp.
const std::map<std::string, Handler, std::less<>>& handlers() {
  static const std::map<std::string, Handler, std::less<>> table = {
      {"started", [](Words&, Record& r) { reach(Stage::started, r); }},
      {"opened", [](Words&, Record& r) { r.opened = true; }},
      {"calling", [](Words&, Record& r) { reach(Stage::calling, r); }},
      {"returned", [](Words&, Record& r) { reach(Stage::returned, r); }},
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
         if (r.input_changes.size() < kMostHits) r.input_changes.push_back(std::move(change));
       }},
      {"canary",
       [](Words& w, Record& r) {
         Record::CanaryHit hit;
         hit.parameter = w.word();
         hit.before = w.word() == "before";
         hit.distance = w.number<std::uint64_t>();
         hit.count = w.number<std::uint64_t>();
         if (r.canary_hits.size() < kMostHits) r.canary_hits.push_back(std::move(hit));
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
      {"raised", [](Words& w, Record& r) { r.raised = w.rest(); }},
      {"ready", [](Words&, Record& r) { r.ready = true; }},
      {"saved", [](Words&, Record& r) { ++r.saved_calls; }},
      {"timed",
       [](Words& w, Record& r) {
         Record::TimedCall call;
         call.number = w.number<std::uint64_t>();
         const std::optional<double> event_ms = w.time();
         const std::optional<double> host_ms = w.time();
         if (!event_ms || !host_ms) return;
         call.event_ms = *event_ms;
         call.host_ms = *host_ms;
         r.timed_calls.push_back(call);
       }},
      {"exit-code", [](Words& w, Record& r) { r.exit_code = w.number<int>(); }},
      {"input-read", [](Words& w, Record& r) { r.input_read = w.number<std::uint64_t>(); }},
      {"output-cut", [](Words&, Record& r) { r.output_cut = true; }},
      {"host-seconds", [](Words& w, Record& r) { r.host_seconds = w.time().value_or(0); }},
      {"event-ms", [](Words& w, Record& r) { r.event_ms = w.time().value_or(0); }},
      {"free-before", [](Words& w, Record& r) { r.free_before = w.number<std::uint64_t>(); }},
      {"free-after", [](Words& w, Record& r) { r.free_after = w.number<std::uint64_t>(); }},
  };
  return table;
}

/// After the start of the student's function errors may be its own. Lines are appended and never
/// removed, so that nothing of the submission's can come before "opened".
void read_fault(Words& words, const std::string& nonce, Record& record) {
  const bool before_the_call = record.stage == Stage::none || record.stage == Stage::started;
  if (before_the_call && !record.harness_fault && !nonce.empty() && words.word() == nonce) {
    record.harness_fault = words.rest();
    record.fault_before_code = !record.opened;
  }
}

}  // namespace

std::uint64_t Record::leaked_bytes() const {
  // After an error the free memory is not queried, and free_after is 0.
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
    if (key == "fault") {
      read_fault(words, nonce, record);
      continue;
    }
    const auto handler = handlers().find(key);
    if (handler != handlers().end()) handler->second(words, record);
  }
  return record;
}

}  // namespace warpgrade
