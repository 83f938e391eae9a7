"""Values used when nothing else is said, and the largest allowed: here the command line can state them at no cost."""

SAMPLES = 1000  # worlds for trump advice: a standard error of 0.03 to 0.04 points
REVIEW_SAMPLES = 200  # the same in a review, which has more to do: a standard error below 0.1 points
MOST_SAMPLES = 10**7  # of which a hand takes hours already
TABLE_WORLDS = 6500  # worlds for values at the table: paired standard errors of at most 0.02 points
MOST_WORLDS = 10**6  # of one decision of the engine
SEED = 1
SEED_LIMIT = 2**64  # every seed is below it
TABLE_MB = 64  # memory ceiling of one solver's table
LARGEST_TABLE_MB = 4096
MOST_NODES = 2**62 - 1  # of a search
LEVEL = 10  # strength of the engine, 1 to 10
PAIRS = 500  # deals of a match, each played twice: a standard error of about 0.02 points
CLASSES = 134_459  # five-card hands that differ by more than the names of suits
BOOK_WORLDS = 8192  # at most, for each hand of the book; it takes about 2,500
BOOK_PRECISION = 0.0275  # points; with the correction no standard error between the two best suits is above 0.03
MOST_BOOK_WORLDS = 2**16 - 1  # that a book can count
