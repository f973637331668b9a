package org.apache.hadoop.hbase.master.balancer;

import java.io.FileNotFoundException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.NullMarked;

/** What the failure of a question to the NameNode says of the NameNode. */
@NullMarked
enum NameNodeFailure {
    /** It could not be reached, or does not answer anybody for now: another region would fare no better. */
    UNAVAILABLE,
    /** It answered, and the answer is about the files of this region: one is not there, or not for us. */
    REGION_SPECIFIC,
    /** Nobody knows: a file that is none, a bug, a NameNode in trouble. */
    UNKNOWN;

    private static final List<Class<?>> UNAVAILABLE_CLASSES = List.of(
            SocketException.class, // refused, reset, no route
            InterruptedIOException.class, // timed out
            UnknownHostException.class,
            StandbyException.class,
            RetriableException.class);
    private static final List<Class<?>> REGION_CLASSES =
            List.of(FileNotFoundException.class, AccessControlException.class);

    /** HDFS's own, which arrives by name. */
    private static final String SAFE_MODE = "SafeModeException";

    static NameNodeFailure of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String name = nameOf(cause);
            if (name.endsWith(SAFE_MODE) || isAny(UNAVAILABLE_CLASSES, cause, name)) {
                return UNAVAILABLE;
            }
            if (isAny(REGION_CLASSES, cause, name)) {
                return REGION_SPECIFIC;
            }
        }
        return UNKNOWN;
    }

    private static String nameOf(Throwable failure) {
        return failure instanceof RemoteException remote
                ? remote.getClassName()
                : failure.getClass().getName();
    }

    private static boolean isAny(List<Class<?>> classes, Throwable failure, String name) {
        return classes.stream()
                .anyMatch(each -> each.isInstance(failure) || each.getName().equals(name));
    }
}
