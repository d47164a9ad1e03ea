#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "emulator/debug/messages.h"

namespace warpsim::debug {

using Json = nlohmann::json;

/// A client of the Debug Adapter Protocol: starts an adapter and talks to it.
class DapClient {
 public:
  /// Starts `warpsim --dap`. @param options  of warpsim, besides --dap
  explicit DapClient(const std::vector<std::string>& options = {});
  /// Starts another adapter. @param folder  its working directory
  DapClient(const std::vector<std::string>& command, const std::filesystem::path& folder);
  ~DapClient();
  DapClient(const DapClient&) = delete;
  DapClient& operator=(const DapClient&) = delete;

  /// Sends a request and waits for its response, whatever it says.
  Json ask(const std::string& command, const Json& arguments = Json::object());
  /// The same; @returns the body. @throws std::runtime_error when the request failed
  Json request(const std::string& command, const Json& arguments = Json::object());
  /// The body of the next event of this name, of those that no earlier call returned.
  /// @throws std::runtime_error when none comes within `seconds`
  Json wait_for(const std::string& event, double seconds = 120);
  /// Whether an event of this name comes within `seconds`.
  bool comes(const std::string& event, double seconds);
  void send_raw(std::string_view bytes);
  /// Closes the client's ends. @returns the adapter's exit code
  int leave();

  /// initialize, launch and waiting for `initialized`.
  void launch(const std::string& program, const std::vector<std::string>& arguments,
              Json more = Json::object());
  void configured() { (void)request("configurationDone"); }
  /// Breakpoints on lines of a file; @returns the response's list.
  Json break_at(const std::string& file, const std::vector<int>& lines);

  // While stopped:
  Json frames(int thread);
  Json top(int thread) { return frames(thread).at(0); }
  int line(int thread) { return top(thread).at("line"); }
  /// Variables of a scope of a frame, as name -> value.
  std::vector<Json> scope(int frame, const std::string& name);
  std::string value(const std::string& expression, int frame = 0);
  /// All that the program and the console have printed so far.
  [[nodiscard]] const std::string& output() const { return output_; }

 private:
  void start(std::vector<std::string> command, const std::filesystem::path& folder);
  bool read_more(double seconds);
  void take(Json message);

  int to_ = -1, from_ = -1;
  int child_ = -1;
  int seq_ = 1;
  MessageReader reader_;
  std::vector<Json> events_, responses_;
  std::string output_;
};

/// The line of a file that ends with "// remark".
int line_of(const std::string& file, const std::string& remark);

}  // namespace warpsim::debug
