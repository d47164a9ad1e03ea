#pragma once

#include <vector>

namespace warpsim {

/// A part of the card that executes work: an interval of modelled time is taken by work that needs
/// a share of it.
class Engine {
 public:
  /// Takes the earliest interval of `duration` that begins at `ready` or later and in which the
  /// share is free.
  /// @param share  of the engine, from 0 to 1: a copy needs all of a copy engine
  /// @returns where the interval begins, in the unit of `ready`
  double take(double ready, double duration, double share);
  /// The earliest begin of such an interval, without taking it.
  [[nodiscard]] double find(double ready, double duration, double share) const;
  void take_at(double begin, double duration, double share);
  /// No later work begins before `now`: intervals that end earlier are dropped.
  void forget_before(double now);
  /// The sum of all durations taken, weighted with their shares.
  [[nodiscard]] double busy() const { return busy_; }

 private:
  struct Interval {
    double begin = 0, end = 0, share = 0;
  };
  [[nodiscard]] bool is_free(double begin, double end, double share) const;
  std::vector<Interval> taken_;
  double last_end_ = 0;
  double busy_ = 0;
};

}  // namespace warpsim
