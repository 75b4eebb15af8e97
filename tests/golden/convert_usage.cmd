banksim convert a b; echo $?; banksim convert --per site a; echo $?
