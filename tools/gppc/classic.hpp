/*
 * The C++ functions of the classic track of the Grid-Based Path Planning Competition, answered by
 * Cairn: maps that do not change, optimal paths, little memory. `bits` holds width * height cells
 * in row order, true for open ones; steps lead to the 8 neighbours without cutting corners.
 */
#ifndef GPPC_CLASSIC_HPP
#define GPPC_CLASSIC_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace GPPC {

struct xyLoc {
    std::int16_t x, y;
};

} // namespace GPPC

/* Writes what is learned about the map to a file: nothing where there is no memory or the file
 * cannot be written. */
void PreprocessMap(const std::vector<bool> &bits, int width, int height,
                   const std::string &filename);

/* Loads the file, or prepares the map again where the file is not that of the map. What it returns
 * stays until the program ends, and is for one thread at a time; null without memory. */
void *PrepareForSearch(const std::vector<bool> &bits, int width, int height,
                       const std::string &filename);

/* A shortest path: points joined by straight or diagonal runs. Empty where start is goal and where
 * there is no path. Always true: the path is complete. */
bool GetPath(void *data, GPPC::xyLoc s, GPPC::xyLoc g, std::vector<GPPC::xyLoc> &path);

std::string GetName();

#endif
