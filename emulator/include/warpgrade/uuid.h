#pragma once

/// The identity of a device, in both APIs.
typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;
