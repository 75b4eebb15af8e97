/* declared.c - the shared arrays of a kernel as its trace declares them: x-shared= of traces/FORMAT.md. */
#include "lanes/cta.h"

#include <string.h>

/* Types that CUDA has as well; of others the trace says how large they are. */
static const struct {
    const char *name;
    size_t bytes;
} types[] = {
    {"char", 1},           {"signed char", 1}, {"unsigned char", 1}, {"short", 2},
    {"unsigned short", 2}, {"int", 4},         {"unsigned", 4},      {"unsigned int", 4},
    {"int32_t", 4},        {"uint32_t", 4},    {"long long", 8},     {"unsigned long long", 8},
    {"float", 4},          {"double", 8},      {"struct float2", 8}, {"struct float4", 16},
};

/* ":float", a blank as a dot. */
static void put_type(const struct bsim_place *place, size_t offset, struct bsim_buffer *out)
{
    static const char of_vectors[] = "struct ";
    size_t n = sizeof types / sizeof types[0], i = 0;
    while (i < n && strcmp(types[i].name, place->element) != 0) {
        i++;
    }
    if (i == n || types[i].bytes != place->element_bytes || offset % types[i].bytes != 0) {
        bsim_buffer_printf(out, ":%zu", place->element_bytes);
        return;
    }
    bool is_vector = strncmp(types[i].name, of_vectors, sizeof of_vectors - 1) == 0;
    size_t begin = out->size_bytes;
    bsim_buffer_printf(out, ":%s", types[i].name + (is_vector ? sizeof of_vectors - 1 : 0));
    for (; begin < out->size_bytes; begin++) {
        out->data[begin] = out->data[begin] == ' ' ? '.' : out->data[begin];
    }
}

static void put_array(const struct bsim_place *place, size_t offset, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%s%s@%zu", out->size_bytes > 0 ? "+" : "x-shared=", place->text,
                       offset);
    put_type(place, offset, out);
}

void bsim_cta_put_arrays(const struct bsim_cta_state *state, struct bsim_buffer *out)
{
    for (size_t i = 0; i < state->n_declared; i++) {
        const struct bsim_declared *array = &state->declared[i];
        size_t n = array->size_bytes / array->place->element_bytes;
        if (n == 0) {
            continue;
        }
        put_array(array->place, (size_t)(array->memory - state->shared), out);
        if (array->columns > 0) {
            bsim_buffer_printf(out, "[%zu][%zu]", n / array->columns, array->columns);
        } else {
            bsim_buffer_printf(out, "[%zu]", n);
        }
    }
    if (state->dynamic != NULL && state->launch->dynamic_shared_bytes > 0) {
        put_array(state->dynamic, bsim_cta_dynamic_offset(state), out);
        bsim_buffer_text(out, "[]");
    }
}

size_t bsim_cta_dynamic_offset(const struct bsim_cta_state *state)
{
    size_t unit = BSIM_CTA_SHARED_ALIGNMENT;
    return (state->shared_static_bytes + unit - 1) / unit * unit;
}
