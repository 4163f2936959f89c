const cell = (text, element = "td") => {
  const node = document.createElement("td");
  if (element === "td") node.textContent = text;
  else node.appendChild(Object.assign(document.createElement(element), { textContent: text }));
  return node;
};

const fetchJson = async (path) => {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
};

const showHealth = async () => {
  const line = document.getElementById("health");
  try {
    const { version, time } = await fetchJson("/api/health");
    line.textContent = `Version ${version} is running. Its clock says ${new Date(time).toLocaleString()}.`;
  } catch (error) {
    line.textContent = `The server did not answer: ${error.message}.`;
  }
};

const showRoutes = async () => {
  const { paths } = await fetchJson("/api/openapi.json");
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const row = document.createElement("tr");
      row.append(cell(method.toUpperCase(), "code"), cell(path, "code"), cell(operation["x-access"]), cell(operation.summary));
      return row;
    }));
  document.getElementById("routes").replaceChildren(...rows);
};

showHealth();
showRoutes();
