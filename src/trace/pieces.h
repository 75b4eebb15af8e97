/* pieces.h - a trace cut between its blocks, so that several readers share the work.
 *
 * One splitter reads the input and cuts it; it looks at no more than it needs to find the blocks,
 * which is many times faster than reading them. Any number of piece readers, each with a sink of
 * its own, read what it cuts. Each reader pushes every kernel and site of the trace, in order, but
 * the blocks of its own pieces only: what its sink sees obeys event.h, and what is counted by all
 * sinks together is what is counted over the whole trace.
 *
 *     input -> splitter -> piece 0 -> reader A -> sink A      kernels, sites, blocks of 0 and 2
 *                          piece 1 -> reader B -> sink B      kernels, sites, blocks of 1
 *                          piece 2 -> reader A
 *
 * Errors are those of bsim_trace_read, word for word: the first one in the order of the pieces,
 * which bsim_piece_join finds. Of several threads a splitter and a reader belong to one at a time,
 * and a reader gets its pieces in their order.
 */
#ifndef BSIM_TRACE_PIECES_H
#define BSIM_TRACE_PIECES_H

#include <banksim/trace.h>

struct bsim_splitter;
struct bsim_piece;
struct bsim_piece_reader;

/* Sizes of pieces, in bytes. The first ones are small, so that all readers soon have one. */
struct bsim_piece_sizes {
    size_t first; /* of the first piece at least, then twice as much, and so on */
    size_t usual; /* up to this */
    size_t most; /* kept in memory of a block that is longer; its rest is read where it is needed */
};

/* Some of a trace's pieces: those blocks that may begin a piece are counted from 0, through all
 * kernels, and every of-th of them, from the number-th on, is the shard's, with what follows it up
 * to the next one. number is 0 to of - 1. */
struct bsim_shard {
    uint32_t number, of;
};

/* Starts at the input's first byte; *input, and what it points to, must stay until the close. shard
 * NULL: all of the trace; of a shard, the blocks of others are passed over unread. Fails with
 * BSIM_E_MEMORY, BSIM_E_IO, and BSIM_E_INPUT for a file that is no trace, such as a compressed one.
 * *splitter is the caller's to close. */
enum bsim_status bsim_splitter_open(const struct bsim_input *input,
                                             const struct bsim_piece_sizes *sizes,
                                             const struct bsim_shard *shard,
                                             struct bsim_splitter **splitter,
                                             struct bsim_error *err) BSIM_MUST_USE;

/* Behind the last piece of a shard: a checksum of the whole trace, the same for all shards of it,
 * whether it comes from a file or a pipe. Of a text it is over every byte; of a binary trace over
 * the heads of its chunks, which have the checksums of the rest, so a text and what it is packed to
 * differ. Another trace has the same one by chance alone, at one in 2^64. Without a shard: no
 * use. */
uint64_t bsim_splitter_content(const struct bsim_splitter *splitter);

/* To be called when readers and pieces are gone. */
void bsim_splitter_close(struct bsim_splitter *splitter);

/* An empty piece, to be filled again and again; NULL when memory is short. */
struct bsim_piece *bsim_piece_new(void);
void bsim_piece_free(struct bsim_piece *piece);

/* Exchanges the memory that the bytes of two pieces lie in, which are gone from both; what came of
 * them stays. So pieces that wait to be joined need none, and who reads one after another fills the
 * same memory again, which is in the processor's cache. */
void bsim_piece_exchange(struct bsim_piece *a, struct bsim_piece *b);

/* Fills piece with the next one; *found is false behind the last. What is wrong with the input is
 * told by the piece's reader. Fails with BSIM_E_MEMORY. */
enum bsim_status bsim_splitter_next(struct bsim_splitter *splitter,
                                             struct bsim_piece *piece, bool *found,
                                             struct bsim_error *err) BSIM_MUST_USE;

/* True if a part of the piece has not been read yet: its reader goes on in the input, and until it
 * is done the splitter must be left alone. */
bool bsim_piece_is_open(const struct bsim_piece *piece);

/* No reader will be made any more. Definitions that all have pushed are freed from then on; before,
 * a new one may need them. To be called by who has the splitter. */
void bsim_splitter_has_all_readers(struct bsim_splitter *splitter);

/* A reader of pieces; *sink must stay. Made and freed by who has the splitter. NULL when memory is
 * short. */
struct bsim_piece_reader *bsim_piece_reader_new(struct bsim_splitter *splitter,
                                                         const struct bsim_sink *sink);
void bsim_piece_reader_free(struct bsim_piece_reader *reader);

/* Pushes the definitions in front of the piece that the sink has not seen yet, and the piece. What
 * happened stays in the piece for bsim_piece_join; after a failure the reader reads no more. */
void bsim_piece_read(struct bsim_piece_reader *reader, struct bsim_piece *piece);

/* The next piece in order has been read: does it follow on what stands before it? Fails with the
 * error of the trace up to here, once there is one. */
enum bsim_status bsim_piece_join(struct bsim_splitter *splitter,
                                          const struct bsim_piece *piece,
                                          struct bsim_error *err) BSIM_MUST_USE;

/* No more pieces come, since the trace has failed: pushes the definitions that the sink has not seen,
 * unless it was this reader that failed. */
enum bsim_status bsim_piece_reader_catch_up(struct bsim_piece_reader *reader,
                                            struct bsim_error *err) BSIM_MUST_USE;

/* All pieces have been joined: pushes the definitions that the sink has not seen, and END. To be
 * called for every reader of the splitter, one at a time; the last one tells what is to remark. */
enum bsim_status bsim_piece_reader_end(struct bsim_piece_reader *reader,
                                                struct bsim_error *err) BSIM_MUST_USE;

#endif
