package io.hearth.balancer.steering;

import io.hearth.balancer.steering.SteeringNews.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** News that nobody has fetched yet; when nobody does, the oldest are lost. Not thread-safe. */
final class NewsBox {

    private static final int CAPACITY = 1_000;

    private final Deque<SteeringNews> news = new ArrayDeque<>();

    void add(long whenMs, Kind kind, String text) {
        if (news.size() >= CAPACITY) {
            news.removeFirst();
        }
        news.addLast(new SteeringNews(whenMs, kind, text));
    }

    List<SteeringNews> take() {
        List<SteeringNews> taken = List.copyOf(news);
        news.clear();
        return taken;
    }
}
