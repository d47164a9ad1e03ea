#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace warpgrade {

class Database;
struct DatabaseAddress;

/// How long a link for signing in, and a session that is not used, are valid.
inline constexpr std::chrono::hours kInvitationTime{14 * 24};
inline constexpr std::chrono::hours kSessionTime{30 * 24};

/// Who is signed in: links that work once, and sessions. The database has hashes of their tokens
/// only. Thread-safe. All throw StoreError.
class Sessions {
 public:
  /// @param address  the Store's, which it may share with other processes
  explicit Sessions(const DatabaseAddress& address);
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;
  ~Sessions();

  /// A token that signs this person in once, instead of an earlier one that was not used.
  [[nodiscard]] std::string invite(const std::string& person);

  struct Begun {
    std::string person;
    std::string token;  // of the new session
  };
  /// Uses up an invitation and begins a session; nothing for one that is unknown, used or expired.
  /// @param earlier  a session of the same browser, which ends; may be empty or of anything
  [[nodiscard]] std::optional<Begun> begin(const std::string& invitation,
                                           const std::string& earlier);
  /// Begins a session of somebody whose account a provider has confirmed. @returns its token
  [[nodiscard]] std::string begin_for(const std::string& person, const std::string& earlier);
  /// The person of a session, which is valid for longer from now on; nothing for any other text.
  [[nodiscard]] std::optional<std::string> person(const std::string& token);
  void end(const std::string& token);
  /// Ends all sessions of a person, and takes back an invitation that was not used.
  void end_all(const std::string& person);

 private:
  std::mutex mutex_;
  std::unique_ptr<Database> database_;
};

}  // namespace warpgrade
