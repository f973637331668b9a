// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * A folder of this machine under the name of a bucket, with what HBase meets in an object store: nothing is synced before a file is
 * closed, and every block is said to be on localhost. It notes who of Hearth or of a balancer asks where blocks are.
 */
public final class ObjectStoreStandIn extends RawLocalFileSystem {

    static final AtomicInteger LOCATIONS_ASKED = new AtomicInteger();
    static final List<String> ASKED_BY_BALANCER_OR_HEALER = new CopyOnWriteArrayList<>();

    private @Nullable URI bucket;

    /** Says that it can't sync, and fails where somebody does so all the same, as Hadoop's S3A does unless told otherwise. */
    private static final class UnsyncedStream extends OutputStream implements Syncable, StreamCapabilities {

        private final FSDataOutputStream file;

        UnsyncedStream(FSDataOutputStream file) {
            this.file = file;
        }

        @Override
        public void write(int oneByte) throws IOException {
            file.write(oneByte);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            file.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }

        @Override
        public boolean hasCapability(String capability) {
            return false;
        }

        @Override
        public void hflush() {
            throw new UnsupportedOperationException("an object store does not flush");
        }

        @Override
        public void hsync() {
            throw new UnsupportedOperationException("an object store does not sync");
        }
    }

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        super.initialize(uri, conf);
        bucket = URI.create(uri.getScheme() + "://" + uri.getAuthority());
        setWorkingDirectory(new Path(bucket + "/"));
    }

    @Override
    public String getScheme() {
        return getUri().getScheme();
    }

    @Override
    public URI getUri() {
        // The constructor of the local file system asks as well.
        return bucket == null ? super.getUri() : bucket;
    }

    /** Owner and permissions are made up, as there. */
    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        FileStatus known = super.getFileStatus(path);
        return new FileStatus(
                known.getLen(),
                known.isDirectory(),
                1,
                known.getBlockSize(),
                known.getModificationTime(),
                0,
                FsPermission.createImmutable((short) (known.isDirectory() ? 0777 : 0666)),
                System.getProperty("user.name"),
                System.getProperty("user.name"),
                known.getPath());
    }

    @Override
    public void setPermission(Path path, FsPermission permission) {}

    @Override
    public FSDataOutputStream create(
            Path file, boolean overwrite, int buffer, short replication, long blockSize, Progressable progress)
            throws IOException {
        return unsynced(super.create(file, overwrite, buffer, replication, blockSize, progress));
    }

    @Override
    public FSDataOutputStream create(
            Path file,
            FsPermission permission,
            boolean overwrite,
            int buffer,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return unsynced(super.create(file, permission, overwrite, buffer, replication, blockSize, progress));
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path file,
            FsPermission permission,
            boolean overwrite,
            int buffer,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return unsynced(
                super.createNonRecursive(file, permission, overwrite, buffer, replication, blockSize, progress));
    }

    private static FSDataOutputStream unsynced(FSDataOutputStream file) throws IOException {
        return new FSDataOutputStream(new UnsyncedStream(file), null);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) throws IOException {
        LOCATIONS_ASKED.incrementAndGet();
        for (StackTraceElement caller : Thread.currentThread().getStackTrace()) {
            String name = caller.getClassName();
            boolean isHearth = name.startsWith("io.hearth.") && !name.equals(ObjectStoreStandIn.class.getName());
            if (name.startsWith("org.apache.hadoop.hbase.master.balancer.")
                    || (isHearth && !name.startsWith("io.hearth.testkit."))) {
                ASKED_BY_BALANCER_OR_HEALER.add(caller.toString());
            }
        }
        return super.getFileBlockLocations(file, start, length);
    }
}
