// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/** Turns what the NameNode throws into answers. */
final class NameNodeCalls {

    /** A question to the NameNode. */
    interface NameNodeCall<T> {
        Observed<T> ask() throws IOException;
    }

    private NameNodeCalls() {}

    static <T> Observed<T> call(NameNodeCall<T> call) {
        try {
            return call.ask();
        } catch (IOException failure) {
            return failed(unwrapped(failure), failure instanceof RemoteException);
        }
    }

    /** What the NameNode threw, where it was the NameNode. */
    static Exception unwrapped(Exception failure) {
        return failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
    }

    private static <T> Observed<T> failed(Exception failure, boolean answered) {
        if (failure instanceof FileNotFoundException) {
            return Observed.gone();
        }
        return Observed.unknown(reason(failure, answered), firstLine(failure));
    }

    private static UnknownReason reason(Exception failure, boolean answered) {
        if (failure instanceof AccessControlException) {
            return UnknownReason.NOT_PERMITTED;
        }
        boolean ofTheNameNode = failure instanceof StandbyException
                || failure instanceof RetriableException
                || failure instanceof SafeModeException
                || failure instanceof InvalidToken;
        return answered && !ofTheNameNode ? UnknownReason.UNREADABLE : UnknownReason.NAMENODE_FAILED;
    }

    static String firstLine(Throwable failure) {
        return failure.toString().lines().findFirst().orElse("");
    }
}
