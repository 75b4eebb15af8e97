# spaces.awk - puts what the profiler counted beside the cases of spaces.cu: the launches in their order.
# A launch executes its request once; the local requests of one that does more are no count of it.
BEGIN { print "opcode,mask,addresses,sectors" }
NR == FNR {
    if (/^(ld|st|tex)/) {
        row[n_cases++] = $0
    }
    next
}
/^"ID"/ {
    gsub(/"/, "")
    n = split($0, name, ",")
    for (i = 1; i <= n; i++) {
        column[name[i]] = i
    }
    next
}
/^"[0-9]/ {
    n = split(substr($0, 2, length($0) - 2), cell, /","/)
    split(row[n_launches], word, ",")
    opcode = word[1]
    path = opcode ~ /^tex/ ? "tex_mem_texture" : opcode ~ /^ld.local/ ? "lsu_mem_local_op_ld" : \
        opcode ~ /^st.local/ ? "lsu_mem_local_op_st" : "lsu_mem_global_op_ld"
    executed = opcode ~ /^ld.local/ ? cell[column["smsp__inst_executed_op_local_ld.sum"]] : \
        opcode ~ /^st.local/ ? cell[column["smsp__inst_executed_op_local_st.sum"]] : 1
    if (executed != 1) {
        print "launch " n_launches ": " executed " requests" > "/dev/stderr"
        exit 1
    }
    print row[n_launches++] "," cell[column["l1tex__t_sectors_pipe_" path ".sum"]]
}
END {
    if (n_launches != n_cases) {
        print n_cases " cases, " n_launches + 0 " launches" > "/dev/stderr"
        exit 1
    }
}
