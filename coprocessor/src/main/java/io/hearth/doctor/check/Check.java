package io.hearth.doctor.check;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import java.util.List;

/** One question about a cluster. Pure. */
interface Check {

    /** The name of its findings. */
    String name();

    /** What it finds; nothing where all is as it should be. */
    List<Finding> examine(Examined cluster);
}
