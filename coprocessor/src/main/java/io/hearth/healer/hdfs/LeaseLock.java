// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLock.LockResult;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of an empty file under HBase's root folder, which its holder keeps open for appending: the NameNode gives it to one
 * client at a time, and to the next one who asks once it was not renewed for its soft limit of 60 seconds ({@code
 * FSNamesystem.recoverLeaseInternal}). The file has no block, so that no DataNode is asked and taking over is one call. It is
 * never deleted, for deleting and making it anew could not be one step. Who holds it is said in an extended attribute.
 *
 * <p>The lease belongs to the file system's client, which must be the healer's own.
 */
final class LeaseLock implements HealerLock {

    static final String DIR = ".hearth";
    static final String FILE = "healer.lock";

    /** {@code hdfs dfs -getfattr -n user.hearth.healer <file>} shows it to a person. */
    static final String HOLDER_XATTR = "user.hearth.healer";

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLock.class);
    private static final long NO_LENGTH = -1;

    private final DistributedFileSystem fs;
    private final Path rootDir;
    private final Path file;
    private final String path;
    private Optional<FSDataOutputStream> held = Optional.empty();
    private long fileId;

    LeaseLock(DistributedFileSystem fs, Path rootDir) {
        this.fs = fs;
        this.rootDir = rootDir;
        this.file = new Path(new Path(rootDir, DIR), FILE);
        this.path = file.toUri().getPath();
    }

    @Override
    public LockResult take(LockHolder self) {
        try {
            held = Optional.of(open());
            fileId = fs.getClient().getFileInfo(path).getFileId();
            writeHolder(self);
            return new LockResult.Held();
        } catch (KeyMissingException failure) {
            return new LockResult.Refused("append to " + file + " needs the key of its encryption zone ("
                    + NameNodeCalls.firstLine(failure.refusal)
                    + "). Run it as the user of HBase, or allow its user to decrypt with that key (DECRYPT_EEK).");
        } catch (IOException | RuntimeException failure) {
            release();
            return response(NameNodeCalls.unwrapped(failure));
        }
    }

    /** First the renewal, then the question: who still has it after that has it for a lease's whole life. */
    @Override
    public LockResult confirm() {
        try {
            DFSClient client = fs.getClient();
            if (!client.renewLease()) {
                // A client gives up what it has open after one call that took too long, and renews nothing from then
                // on, without a word.
                return new LockResult.Lost("the client has given up the open file of the lock");
            }
            // The call by which the NameNode checks the lease of an open file. The stream's own hsync would close it
            // for
            // good when the NameNode does not answer.
            client.getNamenode().fsync(path, fileId, client.getClientName(), NO_LENGTH);
            return new LockResult.Held();
        } catch (IOException | RuntimeException failure) {
            Throwable cause = NameNodeCalls.unwrapped(failure);
            return cause instanceof LeaseExpiredException || cause instanceof FileNotFoundException
                    ? new LockResult.Lost(NameNodeCalls.firstLine(cause))
                    : new LockResult.Unknown(NameNodeCalls.firstLine(cause));
        }
    }

    @Override
    public void release() {
        try {
            if (held.isPresent()) {
                held.get().close();
            }
        } catch (IOException | RuntimeException lostAnyway) {
            // The lease ends by itself when nobody renews it.
        } finally {
            held = Optional.empty();
        }
    }

    private FSDataOutputStream open() throws IOException {
        try {
            return append();
        } catch (FileNotFoundException firstTime) {
            make();
            return append();
        }
    }

    private FSDataOutputStream append() throws IOException {
        try {
            return appendOrNothing();
        } catch (IOException failure) {
            if (NameNodeCalls.unwrapped(failure) instanceof AlreadyBeingCreatedException && releasedOwnLease()) {
                return appendOrNothing();
            }
            throw failure;
        }
    }

    /**
     * In an encryption zone the client has the lease and a thread for the file before it asks for the file's key. Without the key
     * it fails and keeps both, and renews the lease.
     */
    private FSDataOutputStream appendOrNothing() throws IOException {
        try {
            return fs.append(file);
        } catch (IOException | RuntimeException failure) {
            DFSClient client = fs.getClient();
            if (!client.isFilesBeingWrittenEmpty()) {
                client.closeAllFilesBeingWritten(true);
                releasedOwnLease();
                if (failure instanceof AccessControlException refusal) {
                    throw new KeyMissingException(refusal);
                }
            }
            throw failure;
        }
    }

    /** Who keeps the keys has refused this one. */
    private static final class KeyMissingException extends IOException {

        private static final long serialVersionUID = 1L;

        private final AccessControlException refusal;

        KeyMissingException(AccessControlException refusal) {
            super(refusal);
            this.refusal = refusal;
        }
    }

    /**
     * Whether the lease was this very client's, which is given back then. A NameNode that ends between its answer and our hearing of
     * it, or that is in safe mode while we close the file, leaves it with us, and to its holder it does not end by the soft limit.
     * {@code complete} is what a close asks for, and is refused to all but the holder.
     */
    private boolean releasedOwnLease() {
        try {
            DFSClient client = fs.getClient();
            long id = client.getFileInfo(path).getFileId();
            boolean given = client.getNamenode().complete(path, client.getClientName(), null, id);
            if (given) {
                LOG.info("The lock of healing was left with this process by a call that the NameNode did not answer.");
            }
            return given;
        } catch (IOException | RuntimeException anothers) {
            return false;
        }
    }

    /** Replicated, since an erasure-coded file can't be appended to; and HBase's own, whoever makes it. */
    private void make() throws IOException {
        fs.mkdirs(file.getParent(), new FsPermission("700"));
        try {
            fs.createFile(file).replicate().overwrite(false).build().close();
        } catch (FileAlreadyExistsException anotherWasFirst) {
            return;
        }
        FileStatus root = fs.getFileStatus(rootDir);
        for (Path made : new Path[] {file.getParent(), file}) {
            if (!fs.getFileStatus(made).getOwner().equals(root.getOwner())) {
                fs.setOwner(made, root.getOwner(), root.getGroup());
            }
        }
    }

    private void writeHolder(LockHolder self) {
        try {
            fs.setXAttr(file, HOLDER_XATTR, self.label().getBytes(StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException unsaid) {
            // Extended attributes can be switched off: then the file's owner and time are all there is to tell.
        }
    }

    private LockResult response(Throwable cause) {
        if (cause instanceof AlreadyBeingCreatedException || cause instanceof RecoveryInProgressException) {
            return new LockResult.HeldBy(holder());
        }
        if (cause instanceof AccessControlException) {
            return new LockResult.Refused("append to " + file + " is not permitted ("
                    + NameNodeCalls.firstLine(cause) + "). Run it as the user of HBase, or add its user to"
                    + " dfs.permissions.superusergroup.");
        }
        return new LockResult.Unknown(NameNodeCalls.firstLine(cause));
    }

    private LockHolder holder() {
        try {
            return LockHolder.ofLabel(new String(fs.getXAttr(file, HOLDER_XATTR), StandardCharsets.UTF_8))
                    .orElseThrow(() -> new IOException("foreign word"));
        } catch (IOException | RuntimeException nothingSaid) {
            return unknownHolder();
        }
    }

    private LockHolder unknownHolder() {
        try {
            FileStatus status = fs.getFileStatus(file);
            return new LockHolder(
                    "healer", status.getOwner(), "(unknown)", Instant.ofEpochMilli(status.getModificationTime()));
        } catch (IOException | RuntimeException unknown) {
            return new LockHolder("healer", "(unknown)", "(unknown)", Instant.EPOCH);
        }
    }
}
