"""Cell magics for Jupyter: %%warpgrade checks a lab, %%cuda runs a program under warpsim."""

from .magics import WarpgradeMagics


def load_ipython_extension(ipython):
    ipython.register_magics(WarpgradeMagics)
