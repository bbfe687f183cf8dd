"""caffe.io imports picture readers that nothing here needs: stand-ins for them. Import before caffe."""
import sys
import types


def _stand_in(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


_stand_in("skimage")
_stand_in("skimage.io")
_stand_in("skimage.transform", resize=None)
_stand_in("scipy")
_stand_in("scipy.ndimage", zoom=None)
