// Draws the charts. Every number is in the tables of the page as well; without JavaScript nothing is missing.
(function () {
  'use strict';
  const charts = JSON.parse(document.getElementById('chart-data').textContent);
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  let drawn = [];

  // A bar from low to high with caps, and a mark at the middle. Data: [middle, category, low, high, shift].
  echarts.registerCustomSeries('interval', function (params, api) {
    const [x, low, high] = [0, 2, 3].map((i) => api.coord([api.value(i), api.value(1)])[0]);
    const y = api.coord([0, api.value(1)])[1] + api.value(4);
    const style = { stroke: api.visual('color'), lineWidth: 2.5 };
    const stroke = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
    return {
      type: 'group',
      children: [stroke(low, y, high, y), stroke(low, y - 6, low, y + 6), stroke(high, y - 6, high, y + 6),
        { type: 'polygon', shape: { points: [[x, y - 6], [x + 5, y], [x, y + 6], [x - 5, y]] },
          style: { fill: api.visual('color') } }],
    };
  });

  function theme() {
    const css = getComputedStyle(document.documentElement);
    const ink = css.getPropertyValue('--ink').trim();
    const muted = css.getPropertyValue('--muted').trim();
    const line = css.getPropertyValue('--line').trim();
    const axis = {
      axisLine: { lineStyle: { color: line } }, axisTick: { lineStyle: { color: line } },
      axisLabel: { color: muted }, nameTextStyle: { color: muted }, splitLine: { lineStyle: { color: line } },
    };
    return {
      backgroundColor: 'transparent', textStyle: { fontFamily: css.fontFamily || 'sans-serif', color: ink },
      valueAxis: axis, categoryAxis: { ...axis, axisLabel: { color: ink }, splitLine: { show: false } },
      legend: { textStyle: { color: ink }, pageTextStyle: { color: muted } },
      tooltip: { backgroundColor: css.getPropertyValue('--card').trim(), borderColor: line, textStyle: { color: ink } },
    };
  }

  function draw() {
    drawn.forEach((chart) => chart.dispose());
    drawn = charts.map(({ id, option }) => {
      const place = document.getElementById(id);
      place.classList.add('drawn');
      const chart = echarts.init(place, theme(), { renderer: 'svg' });
      chart.setOption({ animation: false, ...option });
      return chart;
    });
  }

  const resize = () => drawn.forEach((chart) => chart.resize());
  draw();
  window.addEventListener('resize', resize);
  window.addEventListener('beforeprint', resize);
  window.addEventListener('afterprint', resize);
  dark.addEventListener('change', draw);
})();
