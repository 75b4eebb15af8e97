#define LAUNCH(k) k<< <1, 1>> >()
