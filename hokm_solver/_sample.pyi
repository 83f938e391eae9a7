from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

@final
class Sampler:
    def __new__(cls, known: Sequence[int], unseen: int, sizes: Sequence[int], voids: Sequence[int]) -> Self: ...
    def ways(self) -> int | None: ...
    def fill(self, out: NDArray[np.uint64], seed: int, start: int = 0) -> None: ...
