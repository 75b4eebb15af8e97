/* advise.c - a layout without conflicts, and how to write it. */
#include "example.h"

static struct bsim_check *sealed(const char *text)
{
    struct bsim_check *check = bsim_check_new();
    CHECK(check != NULL && bsim_check_add_text(check, "k.cu", text, strlen(text), NULL) == BSIM_OK);
    CHECK(bsim_check_seal(check, NULL) == BSIM_OK);
    return check;
}

static void plans(const struct bsim_check *check, const struct bsim_device *device)
{
    struct bsim_advice *advice = NULL;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    CHECK(bsim_advise(check, device, NULL, &advice, NULL) == BSIM_OK);
    CHECK(advice->before.total.conflicts > 0 && advice->n_plans > 0);
    CHECK(advice->plan[0].total.conflicts == 0);
    CHECK(bsim_advice_least(advice) == &advice->plan[0]);

    const struct bsim_check_array *tile = &bsim_check_contents(check)->array[0];
    const struct bsim_layout *layout = &advice->plan[0].layout[0];
    bsim_layout_spell(BSIM_LAYOUT_NAME, tile, layout, &out);
    CHECK(strcmp(out.data, "row-xor 5,0,0") == 0);
    bsim_buffer_clear(&out);
    bsim_layout_spell(BSIM_LAYOUT_INDEX, tile, layout, &out);
    bsim_layout_spell(BSIM_LAYOUT_LINEAR, tile, layout, &out); /* nothing: the index has no i */
    CHECK(strcmp(out.data, "tile[y][x ^ y]") == 0);
    bsim_buffer_clear(&out);
    bsim_layout_flat(tile, layout, &out); /* where ((float *)tile)[e] stands */
    CHECK(strcmp(out.data, "(&tile[0][0])[e ^ (e >> 5)] for (&tile[0][0])[e]") == 0);
    bsim_buffer_clear(&out);
    bsim_layout_declaration(tile, layout, 4, 1024, &out);
    CHECK(strcmp(out.data, "__shared__ float tile[32][32];") == 0);
    bsim_buffer_clear(&out);
    bsim_layout_spell(BSIM_LAYOUT_CUTE, tile, layout, &out);
    CHECK(strcmp(out.data, "Swizzle<5,0,5>") == 0);
    uint32_t n_operations;
    CHECK(bsim_layout_operations(tile, layout, &n_operations) && n_operations == 1);
    bsim_buffer_free(&out);
    bsim_advice_free(advice);
}

/* One sentence for each access that has conflicts. */
static void hints(const struct bsim_check *check, const struct bsim_device *device)
{
    struct bsim_advise_options options = {.hints = true};
    struct bsim_advice *advice = NULL;
    CHECK(bsim_advise(check, device, &options, &advice, NULL) == BSIM_OK);
    CHECK(strstr(advice->hint[1].remedy.data, "tile[y][x ^ y] for tile[y][x]") != NULL);
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_advice_changes(check, advice, &advice->hint[1].plan[0], true, &out);
    CHECK(strcmp(out.data, "Write tile[y][x ^ y] for tile[y][x]") == 0);
    bsim_buffer_free(&out);
    bsim_advice_free(advice);
}

int main(void)
{
    struct bsim_device device;
    struct bsim_check *check = sealed("block 32,32\n"
                                      "shared float tile[32][32]\n"
                                      "store tile[threadIdx.y][threadIdx.x]\n"
                                      "load tile[threadIdx.x][threadIdx.y]\n");
    CHECK(bsim_device_find("h200", NULL, &device, NULL) == BSIM_OK);
    plans(check, &device);
    hints(check, &device);
    bsim_check_free(check);
    return 0;
}
