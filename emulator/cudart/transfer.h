#pragma once

#include <cstdint>
#include <optional>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/api.h"
#include "emulator/cudart/box.h"

namespace warpsim::cudart {

/// Checks a copy and submits it to a stream. The checks and their errors are those of the real
/// runtime (measured on an H200); each error is also a finding.
cudaError_t copy(Call& call, const Side& destination, const Side& source, const Box& box,
                 cudaMemcpyKind kind, cudaStream_t stream);

/// Like copy(), but creates work for a graph.
[[nodiscard]] cudaError_t copy_work(Call& call, const Side& destination, const Side& source,
                                    const Box& box, cudaMemcpyKind kind, Work& work);
/// A memset of elements for a graph; the box's width is in bytes.
/// @param element_bytes  1, 2 or 4: the part of `value` that is repeated
[[nodiscard]] cudaError_t fill_work(Call& call, const Side& destination, std::uint32_t value,
                                    unsigned element_bytes, const Box& box, Work& work);

/// Checks a memset and submits it to a stream; the box's width is in bytes.
/// @param element_bytes  1, 2 or 4: the part of `value` that is repeated
cudaError_t fill(Call& call, const Side& destination, int value, const Box& box,
                 cudaStream_t stream, unsigned element_bytes = 1);

/// A three-dimensional copy for a graph, checked as cudaMemcpy3D does.
[[nodiscard]] cudaError_t box_copy_work(Call& call, const cudaMemcpy3DParms& parameters,
                                        Work& work);

/// A part of a device variable, which is named by the address of its shadow.
struct SymbolRange {
  const void* symbol = nullptr;
  std::uint64_t offset = 0, bytes = 0;
};
/// The range as a side of a copy. An impossible direction, a range outside the variable and an
/// address that is not a variable's are errors; the range is also reported.
[[nodiscard]] cudaError_t symbol_side(Call& call, CopyRole role, const SymbolRange& range,
                                      cudaMemcpyKind kind, Side& side);

/// An array as a side of a copy whose box begins at `position`: x in elements, or in bytes.
/// @returns nothing if the box exceeds the array, which is reported
enum class PositionUnit { elements, bytes };
[[nodiscard]] std::optional<Side> array_side(Call& call, CopyRole role, const Array& array,
                                             const cudaPos& position, const Box& box,
                                             PositionUnit unit);

}  // namespace warpsim::cudart
