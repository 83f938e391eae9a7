# The same source compiled a second time, for processors with fast BMI2.
from hokm_solver._search import Search as Search
from hokm_solver._search import has_fast_bmi2 as has_fast_bmi2
