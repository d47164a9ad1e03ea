#include "grader/serve/store/database.h"

namespace warpgrade {

Statement& Statement::bind(std::int64_t value) {
  values_.emplace_back(value);
  return *this;
}

Statement& Statement::bind(double value) {
  values_.emplace_back(value);
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  values_.emplace_back(std::string(text));
  return *this;
}

Statement& Statement::bind_bytes(std::string_view bytes) {
  values_.emplace_back(SqlBytes{std::string(bytes)});
  return *this;
}

bool Statement::next() {
  if (!rows_) rows_ = database_.execute(sql_, values_);
  return rows_->next();
}

void Statement::run() {
  while (next()) {
  }
}

Transaction::Transaction(Database& database, Database::Flush flush) : database_(database) {
  database.begin(flush);
}

Transaction::~Transaction() {
  if (open_) database_.rollback();
}

void Transaction::commit() {
  database_.commit();
  open_ = false;
}

}  // namespace warpgrade
