// Marks the section being read in the bar.

const links = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>(".bar nav a")].map((link) => [link.hash.slice(1), link]),
);
const visible = new Set<string>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) visible.add(target.id);
      else visible.delete(target.id);
    }
    const current = [...links.keys()].find((id) => visible.has(id));
    for (const [id, link] of links) {
      if (id === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  },
  { rootMargin: "-25% 0px -60% 0px" },
);
for (const id of links.keys()) {
  const section = document.getElementById(id);
  if (section) observer.observe(section);
}
