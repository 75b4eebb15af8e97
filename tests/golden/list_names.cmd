banksim list devices --names
banksim list kernels --names | sort | uniq -d
