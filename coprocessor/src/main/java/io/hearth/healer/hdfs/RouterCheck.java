package io.hearth.healer.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Whether HDFS is asked through a router (router-based federation), with which healing does not work: block keys through a router
 * are those of any name service, its DataNodes are those of all, and neither the HDFS Balancer's lock nor a fail-over is this name
 * service's. A router says of some questions to NameNodes that it does not support them, before it looks at who asks; one
 * that is cheap is asked until somebody has answered. Used by one thread.
 */
final class RouterCheck {

    /** A question that NameNodes answer, or refuse to some, and that routers do not support. */
    @FunctionalInterface
    interface NameNodeCall {
        void ask() throws IOException;
    }

    private final URI fileSystem;
    private final NameNodeCall call;
    private Optional<Boolean> isRouter = Optional.empty();

    RouterCheck(URI fileSystem, NameNodeCall call) {
        this.fileSystem = fileSystem;
        this.call = call;
    }

    /** Why nothing is moved through a router; empty where it is a NameNode, or nobody has answered yet. */
    Optional<String> refusal() {
        if (isRouter.isEmpty()) {
            isRouter = ask();
        }
        return isRouter.filter(router -> router)
                .map(router -> fileSystem
                        + " is a router (router-based federation), through which healing is not supported."
                        + " Set hbase.rootdir to the name service of the NameNodes that hold it, where healing runs.");
    }

    private Optional<Boolean> ask() {
        try {
            call.ask();
            return Optional.of(false);
        } catch (RemoteException response) {
            return Optional.of(UnsupportedOperationException.class.getName().equals(response.getClassName()));
        } catch (IOException | RuntimeException noAnswer) {
            return Optional.empty();
        }
    }
}
