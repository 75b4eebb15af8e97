# A handout: the questions and tasks of all lessons, then answers and hints; each lesson is there twice,
# nothing of a text is left unfilled, and no answer stands before the second part. Figures are drawn.
banksim lesson --format html -o $TMP/all.html
grep -c '<section>' $TMP/all.html
grep -c '<h2>[0-9]*\. ' $TMP/all.html
grep -c '<h3>[0-9]*\. ' $TMP/all.html
grep -c '{[A-F] ' $TMP/all.html || :
sed '/class="answers"/,$d' $TMP/all.html | grep -c 'It is [0-9]\|Hint:\|<svg' || :
grep -c '<svg ' $TMP/all.html
grep -c '</svg>' $TMP/all.html
# one lesson, one exercise, and one that asks for nothing else
banksim lesson padding --format html | grep '<h[123]>\|It is\|<strong>\|Hint'
banksim lesson 07-points --format html | sed -n '/<body>/,$p'
banksim lesson 3 -o $TMP/three && grep -c . $TMP/three
banksim lesson -o $TMP/list; echo "exit $?"
banksim lesson 1 --format json; echo "exit $?"
# commands of several lines stand below one another, one that goes on is indented
banksim lesson shuffle --format html | sed -n '/<p>Try/,/<\/pre>/p'
banksim lesson rectangle --format html | sed -n '/<p>Try/,/<\/pre>/p'
