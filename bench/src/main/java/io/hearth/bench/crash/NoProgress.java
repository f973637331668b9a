package io.hearth.bench.crash;

import io.hearth.demo.console.Progress;

/** Shows nothing. */
enum NoProgress implements Progress {
    INSTANCE;

    @Override
    public void update(long done, String note) {}

    @Override
    public void close() {}
}
