#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace warpgrade {

/// Where the database of `warpgrade serve` is: a file of SQLite, or PostgreSQL.
struct DatabaseAddress {
  /// Of SQLite. Not explicit: a file is an address.
  DatabaseAddress(std::filesystem::path sqlite_file)  // NOLINT(google-explicit-constructor)
      : file(std::move(sqlite_file)) {}
  /// Of PostgreSQL.
  /// @param url_text  what libpq takes: postgresql://labs@db.example.org/warpgrade
  /// @param secret    its password; empty: none, or what libpq finds (~/.pgpass)
  /// @param folder    of the installation's libraries
  /// @throws UsageError  if it is no such URL, or has a password, which others could read in the
  ///                     list of processes
  DatabaseAddress(std::string url_text, std::string secret, std::filesystem::path folder);

  [[nodiscard]] bool is_postgresql() const { return !url.empty(); }
  /// For messages.
  [[nodiscard]] std::string name() const { return is_postgresql() ? url : file.string(); }

  std::filesystem::path file = {};  // of SQLite
  std::string url = {};  // of PostgreSQL, without a password
  std::string password = {};
  std::filesystem::path library = {};
  bool migrates =
      true;  // brings the tables up to date; else other ones than the newest are refused
};

}  // namespace warpgrade
