package io.hearth.testkit.process.uplink;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A TAP device of Linux: what is sent to it is read here frame by frame, and what is written here it receives. One thread may read, one write. */
final class TapDevice {

    static {
        Native.register(TapDevice.class, Platform.C_LIBRARY_NAME);
    }

    private static final int O_RDWR = 2;
    private static final int EIO = 5;
    private static final long TUNSETIFF = 0x400454caL;
    private static final short IFF_TAP = 0x0002;
    private static final short IFF_NO_PI = 0x1000;
    private static final int IFREQ_BYTES = 40;
    private static final int IFREQ_FLAGS = 16;

    private final int descriptor;

    /** Attaches to a device of this name that is there. */
    TapDevice(String name) throws IOException {
        try {
            descriptor = open("/dev/net/tun", O_RDWR);
            ByteBuffer request = ByteBuffer.allocateDirect(IFREQ_BYTES).order(ByteOrder.nativeOrder());
            request.put(name.getBytes(StandardCharsets.US_ASCII));
            request.putShort(IFREQ_FLAGS, (short) (IFF_TAP | IFF_NO_PI));
            request.rewind();
            ioctl(descriptor, TUNSETIFF, request);
        } catch (LastErrorException e) {
            throw new IOException("the TAP device " + name + " can't be had: " + e.getMessage(), e);
        }
    }

    /** Waits for a frame and puts it into the buffer, whose limit is then its end. */
    void read(ByteBuffer buffer) {
        buffer.clear();
        buffer.limit(Math.toIntExact(read(descriptor, buffer, buffer.capacity())));
    }

    /** Writes a frame; while the device is down it is lost, as on any wire. */
    void write(ByteBuffer buffer) {
        try {
            write(descriptor, buffer, buffer.limit());
        } catch (LastErrorException e) {
            if (e.getErrorCode() != EIO) {
                throw e;
            }
        }
    }

    private static native int open(String path, int flags) throws LastErrorException;

    private static native int ioctl(int descriptor, long request, ByteBuffer argument) throws LastErrorException;

    private static native long read(int descriptor, ByteBuffer buffer, long bytes) throws LastErrorException;

    private static native long write(int descriptor, ByteBuffer buffer, long bytes) throws LastErrorException;
}
