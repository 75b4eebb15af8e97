# Effective bandwidth, at most: the bytes read and written over the time of the launch. Of a launch that is
# traced in part, that part's share; nothing without a clock.
copy() {
    printf 'banksim-trace 1\nkernel copy grid=%s block=32\nblock 0\n' "$1"
    printf 'w0 ld.global.f32 ffffffff 0+4\nw0 %s ffffffff 4096+4\nend\n' "$2"
}
copy 1 st.global.f32 | banksim run - | grep '^device memory'
copy 1000000 st.global.f32 | banksim run - | grep '^device memory'
copy 1000000 st.global.f32 | banksim run --device k40 - | grep '^device memory'
copy 1000000 red.global.add.u32 | banksim run - | grep -E '^(device|with global) memory'
copy 1 st.global.f32 | banksim run --format csv - | cut -d, -f77
copy 1 st.global.f32 | banksim run --device sm_52 --format csv - | cut -d, -f77
copy 1 st.global.f32 | banksim run --format json - | grep -o '"effective_gb_per_s": [^,}]*'
