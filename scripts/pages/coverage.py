def pages(root): return {}
def problems(root): return []
