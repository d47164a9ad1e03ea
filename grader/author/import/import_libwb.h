#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/author/import/libwb_folder.h"

namespace warpgrade {

/// A lab made from such a folder.
struct ImportedLab {
  std::vector<std::filesystem::path> files;  // relative to the labs' root
  std::vector<std::string> unknown;  // what the folder does not say, and what was assumed
  std::vector<std::string>
      decisions;  // what a person has to look at, a sentence with its file each
  bool has_solution = false;
};

/// Writes labs/<id>, reference/<id> and datasets/<id> for a folder of libwb.
///
/// @param root  where labs/, reference/ and datasets/ are
/// @throws UsageError  if the id cannot be one, the lab exists, or the datasets differ in their
/// files
/// @throws EnvironmentError  if a file cannot be written
[[nodiscard]] ImportedLab import_libwb(const LibwbFolder& from, const std::filesystem::path& root,
                                       const std::string& id);

/// An id from a folder's name: "VectorAdd" gives vector_add.
[[nodiscard]] std::string id_of_folder(const std::filesystem::path& folder);

}  // namespace warpgrade
