#include "grader/judge/diagnose/claim_reader.h"

#include <charconv>

namespace warpgrade {

std::uint64_t Claim::number(std::size_t part) const {
  std::string digits = parts.at(part);
  std::erase(digits, ',');
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() ? value : 0;
}

std::vector<Claim> claims_in(const std::string& sentence, const std::regex& form) {
  std::vector<Claim> claims;
  for (auto it = std::sregex_iterator(sentence.begin(), sentence.end(), form);
       it != std::sregex_iterator(); ++it) {
    Claim claim{.text = it->str(), .parts = {}};
    for (std::size_t i = 1; i < it->size(); ++i) claim.parts.push_back((*it)[i].str());
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace warpgrade
