package io.hearth.healing.loop;

import io.hearth.healing.loop.HealSwitch.Position;
import java.io.IOException;

/** Where a brake's position outlives the process. */
public interface BrakeStore {

    /** What was kept last; released where nothing is kept. */
    Position load() throws IOException;

    void save(Position position) throws IOException;
}
