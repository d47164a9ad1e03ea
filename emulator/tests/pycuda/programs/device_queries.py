"""The device: name, capability, memory, attributes, contexts"""
import pycuda.driver as drv

drv.init()
device = drv.Device(0)
assert drv.Device.count() == 1 and "NVIDIA" in device.name()
assert device.compute_capability() >= (7, 0)
assert device.get_attribute(drv.device_attribute.WARP_SIZE) == 32
context = device.make_context()
free, total = drv.mem_get_info()
assert 0 < free <= total <= device.total_memory()
assert context.get_device() == device
context.pop()
context.detach()
primary = device.retain_primary_context()
primary.push()
drv.mem_alloc(16).free()
primary.detach()
