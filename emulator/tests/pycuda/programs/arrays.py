"""Arrays and rows: `matrix_to_array`, `Memcpy2D`, `Memcpy3D`, pitched memory"""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv

matrix = np.arange(24, dtype=np.float32).reshape(4, 6)
array = drv.matrix_to_array(matrix, "C")
description = array.get_descriptor()
assert (description.width, description.height) == (6, 4)
back = np.zeros_like(matrix)
copy = drv.Memcpy2D()
copy.set_src_array(array)
copy.set_dst_host(back)
copy.width_in_bytes = copy.dst_pitch = matrix.strides[0]
copy.height = 4
copy(aligned=False)
assert np.array_equal(back, matrix)

device, pitch = drv.mem_alloc_pitch(24, 4, 4)
copy = drv.Memcpy2D()
copy.set_src_host(matrix)
copy.set_dst_device(device)
copy.src_pitch, copy.dst_pitch = 24, pitch
copy.width_in_bytes, copy.height = 24, 4
copy(aligned=True)
row = np.zeros(6, np.float32)
drv.memcpy_dtoh(row, int(device) + 2 * pitch)
assert np.array_equal(row, matrix[2])

box = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
volume = drv.np_to_array(box, "C")
back = np.zeros_like(box)
copy = drv.Memcpy3D()
copy.set_src_array(volume)
copy.set_dst_host(back)
copy.dst_pitch = copy.width_in_bytes = box.strides[1]
copy.dst_height = copy.height = 3
copy.depth = 2
copy()
assert np.array_equal(back, box)
