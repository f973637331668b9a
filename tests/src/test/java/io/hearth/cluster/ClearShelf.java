package io.hearth.cluster;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Closes the clusters that tests of this JVM have shared, after the last of them. */
public final class ClearShelf implements LauncherSessionListener {

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        ClusterShelf.OF_THIS_JVM.clear();
    }
}
