package io.hearth.healing.observe;

import io.hearth.healing.model.DataNodes;

/** The DataNodes of the cluster. */
public interface LiveDataNodes {

    /** Asks the NameNode; where it may not, the DataNodes that were met in block locations so far. */
    Observed<DataNodes> list();
}
