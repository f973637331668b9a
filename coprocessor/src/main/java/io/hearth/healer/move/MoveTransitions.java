package io.hearth.healer.move;

/**
 * Where a move stands after a DataNode's answer. Pure.
 *
 * <p>An answer that comes after the time out counts only if it says that the block was copied, or that the attempt is over:
 * a further attempt is left to a fresh plan. Of a replica that was there before only the NameNode can say how it came there and
 * whether it stays.
 */
final class MoveTransitions {

    private MoveTransitions() {}

    static TrackedMove of(TrackedMove tracked, MoveResult result, MoveLimits limits, long nowMs) {
        String why = result.detail();
        boolean late = tracked.state() == MoveState.IN_DOUBT;
        return switch (result.response()) {
            case COPIED -> tracked.in(MoveState.COPIED, why, nowMs);
            case REFUSED, NOT_PERMITTED -> tracked.in(MoveState.REFUSED, why, nowMs);
            case ALREADY_THERE, TIMED_OUT -> late ? tracked : tracked.in(MoveState.IN_DOUBT, why, nowMs);
            case BUSY, PROXY_BUSY ->
                late
                        ? tracked.in(MoveState.FAILED, why, nowMs)
                        : tracked.retryAfterRejection(why, nowMs + delayMs(limits, tracked.rejections()), nowMs);
            case FAILED ->
                late || tracked.failures() + 1 >= limits.attempts()
                        ? tracked.in(MoveState.FAILED, why, nowMs)
                        : tracked.retryAfterFailure(why, nowMs + delayMs(limits, tracked.failures()), nowMs);
        };
    }

    private static long delayMs(MoveLimits limits, int before) {
        return limits.retry().delayMs(before + 1);
    }
}
