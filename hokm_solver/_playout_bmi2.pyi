# The same source compiled a second time, for processors with fast BMI2.
from hokm_solver._playout import KINDS as KINDS
from hokm_solver._playout import MOST_LOOK_UPS as MOST_LOOK_UPS
from hokm_solver._playout import WEIGHT_SHAPE as WEIGHT_SHAPE
from hokm_solver._playout import Policy as Policy
from hokm_solver._playout import Record as Record
from hokm_solver._playout import features as features
