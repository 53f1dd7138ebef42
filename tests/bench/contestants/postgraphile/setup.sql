-- Who may see what, as PostGraphile has it: a role, and row level security. Other contestants connect as the owner, whom it does
-- not bind.
create role bench_api;
grant usage on schema public to bench_api;
grant select, insert on users, posts, comments to bench_api;
grant usage on all sequences in schema public to bench_api;
alter table posts enable row level security;
create policy visible on posts for select to bench_api using (
  published_at is not null or owner_id = (select nullif(current_setting('app.user_id', true), '')::int)
);
create policy own on posts for insert to bench_api with check (
  owner_id = (select nullif(current_setting('app.user_id', true), '')::int)
);
