# Titan Black: 3.4 TB/s and 853 Gfloat/s, as CS 179 says. An A100's bank: 1.4 gigaloads/s, its clock.
for device in 'GTX Titan Black' A100 T4 H200 sm_50 generic GP104; do
    echo "== $device"
    banksim list devices "$device" | sed -n '/rates of/,/Little/p'
done
banksim list devices | grep -c 'rates of' || :
