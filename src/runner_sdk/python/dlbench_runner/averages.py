"""The recipe's moving averages of the weights, in numbers: what a framework's own averaging is given."""


def ema_decay(weight_ema, step):
    """What the average keeps in this step (1, 2, ...): its decay, or (1 + step) / (10 + step) on a ramp, if that is less."""
    if not weight_ema["ramp"]:
        return weight_ema["decay"]
    return min(weight_ema["decay"], (1.0 + step) / (10.0 + step))
