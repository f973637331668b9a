package io.hearth.healer.hdfs;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The answers of a DataNode, each of which has a limit of bytes; every read waits for no longer than what is left of the whole call's time. A socket's own
 * timeout is for one read: with a byte now and then it never ends. One thread's.
 */
final class BoundedResponseStream extends FilterInputStream {

    /** Gives a read what is left of the time, or throws where nothing is. */
    @FunctionalInterface
    interface ReadTimeout {
        void renew() throws IOException;
    }

    private final ReadTimeout timeout;
    private final int maxBytes;
    private int left;

    /** @param maxBytes of one answer */
    BoundedResponseStream(InputStream in, ReadTimeout timeout, int maxBytes) {
        super(in);
        this.timeout = timeout;
        this.maxBytes = maxBytes;
        this.left = maxBytes;
    }

    /** The next answer begins. */
    void begin() {
        left = maxBytes;
    }

    @Override
    public int read() throws IOException {
        timeout.renew();
        int one = super.read();
        count(one < 0 ? 0 : 1);
        return one;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        timeout.renew();
        int read = super.read(bytes, offset, length);
        count(Math.max(0, read));
        return read;
    }

    private void count(int read) throws IOException {
        left -= read;
        if (left < 0) {
            throw new IOException("the DataNode answers more than " + maxBytes + " bytes");
        }
    }
}
