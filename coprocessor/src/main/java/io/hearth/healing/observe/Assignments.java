package io.hearth.healing.observe;

/** Who serves which region, and what the servers report of their locality. */
public interface Assignments {

    /** A fresh look; unknown while the master is not active and initialised. Asks nobody outside of the process. */
    Observed<ClusterLook> look();
}
