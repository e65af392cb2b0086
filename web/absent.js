// Stands for the two parts of Vega that Debian leaves out and no chart uses: exotic map projections, and Voronoi cells.

export const geoMollweide = null;
export const Delaunay = null;
