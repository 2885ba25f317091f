"""askpoint: which decisions may your model take alone, and what will that cost you?

The names are listed in ``__init__.pyi``. Each is loaded from the module that defines it when it is
first asked for, so that ``import askpoint`` stays quick.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
